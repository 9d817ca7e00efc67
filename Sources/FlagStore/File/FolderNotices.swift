#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Notices of changes in the folders that a path leads through: inotify on Linux, kqueue on Apple systems.
struct FolderNotices: ~Copyable {
    enum End {
        case noticeOrTime, stopped
    }

    /// Whether the last wait ended with a notice; true before the first.
    private(set) var hadNotice = true
    private let wakeUp: WakeUp
    private let queue: Int32
    /// Watched folders by path, with what identifies the watch to the system.
    private var watches: [String: Int32] = [:]

    init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        #if canImport(Darwin)
            queue = kqueue()
        #else
            queue = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        #endif
    }

    deinit {
        #if canImport(Darwin)
            for descriptor in watches.values { close(descriptor) }
        #endif
        if queue >= 0 { close(queue) }
    }

    /// Watches the folder of the path and those that symbolic links lead to from there, in place of the former ones.
    mutating func watch(foldersOf path: String) {
        let folders = Self.folders(of: path)
        guard queue >= 0 else { return }
        for folder in watches.keys where !folders.contains(folder) {
            remove(folder)
        }
        // Added again each time: a folder that was deleted, or replaced by another, is otherwise watched no more.
        for folder in folders { add(folder) }
    }

    /// Waits for a notice, the given time or the end.
    mutating func wait(milliseconds: Int) -> End {
        var descriptors = [
            pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&descriptors, 2, Int32(milliseconds))
        if wakeUp.isStopped { return .stopped }
        hadNotice = count > 0 && descriptors[0].revents != 0
        if hadNotice { drain() }
        return .noticeOrTime
    }

    /// The folder of the path, then of each link's target in turn.
    private static func folders(of path: String) -> Set<String> {
        var folders: Set<String> = []
        var path = path
        for _ in 0..<16 {
            let folder =
                path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            folders.insert(folder)
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = buffer.withUnsafeMutableBytes { buffer in
                readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
            }
            guard count > 0 else { break }
            let target = String(decoding: buffer[..<count], as: UTF8.self)
            path = target.hasPrefix("/") ? target : folder + "/" + target
        }
        return folders
    }
}

#if canImport(Darwin)
    extension FolderNotices {
        private mutating func add(_ folder: String) {
            remove(folder)
            let descriptor = open(folder, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            var change = kevent(
                ident: UInt(descriptor), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
                fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB),
                data: 0, udata: nil)
            kevent(queue, &change, 1, nil, 0, nil)
            watches[folder] = descriptor
        }

        private mutating func remove(_ folder: String) {
            if let descriptor = watches.removeValue(forKey: folder) { close(descriptor) }
        }

        private func drain() {
            var event = kevent()
            var none = timespec(tv_sec: 0, tv_nsec: 0)
            while kevent(queue, nil, 0, &event, 1, &none) > 0 {}
        }
    }
#else
    extension FolderNotices {
        private mutating func add(_ folder: String) {
            // A file that is only opened for writing says nothing yet: what counts is that it was closed or moved.
            let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
            let watch = inotify_add_watch(queue, folder, UInt32(events | IN_DELETE_SELF | IN_MOVE_SELF))
            watches[folder] = watch >= 0 ? watch : nil
        }

        private mutating func remove(_ folder: String) {
            if let watch = watches.removeValue(forKey: folder) { inotify_rm_watch(queue, watch) }
        }

        private func drain() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(queue, &buffer, buffer.count) > 0 {}
        }
    }
#endif
