import FlagLocking

extension ServerCore {
    /// Answers and cuts requests that take too long to arrive.
    ///
    /// Looks at every connection: ten thousand of them take less than a millisecond.
    func expireRequests(now: Int64) {
        let requestLimit = Int64(configuration.requestTimeout * 1000)
        let idleLimit = Int64(configuration.idleTimeout * 1000)
        var expired: [(HTTPConnection, ConnectionState.Expiry)] = []
        for connection in connections {
            let expiry = connection.state.withLock {
                $0.expire(now: now, requestLimit: requestLimit, idleLimit: idleLimit)
            }
            if let expiry {
                expired.append((connection, expiry))
            }
        }
        for (connection, expiry) in expired {
            connection.cut(answeringWith: expiry == .answer ? .requestTimeout : nil)
        }
    }
}
