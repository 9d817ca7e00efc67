// Tests name what the client gives them, and need no more than this import.
@_exported public import ConfigDirector
