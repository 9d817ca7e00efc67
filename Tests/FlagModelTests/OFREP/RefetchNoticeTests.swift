import FlagModel
import Testing

@Suite struct RefetchNoticeTests {
    @Test(arguments: [
        (#"{"type":"refetchEvaluation"}"#, RefetchNotice()),
        (
            #"{"type":"refetchEvaluation","etag":"\"a\"","lastModified":1700000000}"#,
            RefetchNotice(etag: "\"a\"", lastModified: "1700000000")
        ),
        (
            #"{"type":"refetchEvaluation","lastModified":"2026-01-01T00:00:00Z","more":1}"#,
            RefetchNotice(lastModified: "2026-01-01T00:00:00Z")
        ),
        (#"{"type":"refetchEvaluation","etag":7,"lastModified":null}"#, RefetchNotice()),
    ])
    func reads(data: String, notice: RefetchNotice) {
        #expect(RefetchNotice(data: data) == notice)
    }

    @Test(arguments: ["", "refetchEvaluation", "{}", "[]", #"{"type":"other"}"#, #"{"type":null}"#, "{"])
    func passesOverOthers(data: String) {
        #expect(RefetchNotice(data: data) == nil)
    }

    @Test func writesWhatItReads() {
        let notices = [RefetchNotice(), RefetchNotice(etag: "\"x\"", lastModified: "1700000000")]
        for notice in notices { #expect(RefetchNotice(data: notice.data) == notice) }
        #expect(RefetchNotice(etag: "e").data == #"{"etag":"e","type":"refetchEvaluation"}"#)
    }
}
