/// The flag file that the demo begins with.
enum DemoFlags {
    /// The flag that `flagstaff demo --once` changes.
    static let changedFlag = "new-checkout"

    /// The file's text.
    static func text(checkout: String) -> String {
        """
        {
          "$schema": "https://flagd.dev/schema/v0/flags.json",
          "metadata": { "flagSetId": "demo" },
          "flags": {
            "new-checkout": {
              "description": "The first to try: change defaultVariant to \\"on\\" or \\"off\\" and save.",
              "state": "ENABLED",
              "variants": { "on": true, "off": false },
              "defaultVariant": "\(checkout)"
            },
            "theme": {
              "state": "ENABLED",
              "variants": { "light": "light", "dark": "dark" },
              "defaultVariant": "light",
              "targeting": { "if": [{ "==": [{ "var": "plan" }, "pro"] }, "dark", null] }
            },
            "max-items": {
              "state": "ENABLED",
              "variants": { "few": 20, "many": 500 },
              "defaultVariant": "few",
              "targeting": { "if": [{ "$ref": "isEmployee" }, "many", null] }
            },
            "search-ranking": {
              "description": "A percentage rollout: each user stays in the same part.",
              "state": "ENABLED",
              "variants": { "classic": "classic", "learned": "learned" },
              "defaultVariant": "classic",
              "targeting": { "fractional": [["classic", 50], ["learned", 50]] }
            },
            "banner": {
              "state": "ENABLED",
              "variants": { "none": {}, "sale": { "text": "Sale!", "color": "#c00", "days": 3 } },
              "defaultVariant": "sale"
            },
            "old-importer": {
              "state": "DISABLED",
              "variants": { "on": true },
              "defaultVariant": "on"
            }
          },
          "$evaluators": {
            "isEmployee": { "ends_with": [{ "var": "email" }, "@example.com"] }
          }
        }

        """
    }
}
