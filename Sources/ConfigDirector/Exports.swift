// One import gives an app what the client's signatures name, `Locale` and `URL` among them.
@_exported public import Foundation
