import Foundation

/// Prints a figure that a test has measured, beside what it asserts.
func report(_ figure: String) {
    FileHandle.standardError.write(Data("measured: \(figure)\n".utf8))
}
