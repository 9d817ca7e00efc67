// One import gives an app the values, contexts and resolutions too, whose module it does not depend on by name.
@_exported public import FlagModel
