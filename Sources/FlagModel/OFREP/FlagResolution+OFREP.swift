extension FlagResolution {
    /// Reads an evaluation, or a failure, of an OFREP answer; `nil` when it has no key.
    ///
    /// A failure is told by its `errorCode`. A value that is absent or `null` means the code's default. A reason
    /// that is absent counts as `DEFAULT` for the code's default and as `UNKNOWN` else. Metadata other than
    /// strings, numbers and Booleans is dropped.
    package init?(ofrep value: FlagValue) {
        guard let key = value["key"]?.stringValue else { return nil }
        self.init(ofrep: value, key: key)
    }

    /// Reads an evaluation or a failure for a key that is known, such as the answer to a single evaluation.
    package init(ofrep value: FlagValue, key: String) {
        let metadata = (value["metadata"]?.objectValue ?? [:]).filter { _, value in
            switch value {
            case .string, .int, .double, .bool: true
            default: false
            }
        }
        if let code = value["errorCode"]?.stringValue {
            self.init(
                key: key, reason: .error, errorCode: FlagErrorCode(rawValue: code),
                errorDetails: value["errorDetails"]?.stringValue, metadata: metadata)
        } else {
            // `.none` and not `nil`, which would be the value `null`.
            let served = value["value"].flatMap { $0.isNull ? .none : $0 }
            let reason = value["reason"]?.stringValue.map(FlagReason.init(rawValue:))
            self.init(
                key: key, value: served, variant: value["variant"]?.stringValue,
                reason: reason ?? (served == nil ? .default : .unknown), metadata: metadata)
        }
    }

    /// The evaluation or failure as an OFREP answer carries it, with sorted names.
    package var ofrep: FlagValue {
        var members: [String: FlagValue] = ["key": .string(key), "metadata": .object(metadata)]
        if let errorCode {
            members["errorCode"] = .string(errorCode.rawValue)
            if let errorDetails { members["errorDetails"] = .string(errorDetails) }
        } else {
            members["reason"] = .string(reason.rawValue)
            if let value { members["value"] = value }
            if let variant { members["variant"] = .string(variant) }
        }
        return .object(members)
    }
}
