import Foundation

/// A folder of its own for one test, removed with it.
final class TemporaryFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("flagstaff-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// Moves a file or link onto another, which is gone then, in one step.
    func move(_ name: String, over other: String) throws {
        guard rename(path(name), path(other)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func write(_ name: String, flags: [String]) throws {
        try Self.definition(flags).write(to: URL(fileURLWithPath: path(name)))
    }

    static func definition(_ flags: [String]) -> Data {
        let members = flags.map {
            #""\#($0)":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}"#
        }
        return Data("{\"flags\":{\(members.joined(separator: ","))}}".utf8)
    }
}
