// A test names the client's types with one import.
@_exported public import Flagstaff
