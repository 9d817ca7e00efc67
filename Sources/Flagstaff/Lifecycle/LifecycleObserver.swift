import Foundation

#if os(macOS)
    private import AppKit
#elseif os(watchOS)
    private import WatchKit
#elseif os(iOS) || os(tvOS) || os(visionOS)
    private import UIKit
#endif

/// Tells when the app goes out of sight and comes back, for as long as it is kept.
///
/// It listens to the system's notices and never asks the application object, which app extensions do not have. On
/// Linux there is nothing to listen to.
final class LifecycleObserver: Sendable {
    /// Something that happens to the app.
    enum Notice: Hashable, Sendable {
        case background
        case foreground
    }

    private let tokens: Tokens

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - center: Where the notices are posted.
    ///   - notices: The names of the notices. Default: those of the platform.
    ///   - receive: Called on the thread that posts, which is the main one for the system's own.
    init(
        center: NotificationCenter = .default,
        notices: [Notification.Name: Notice] = LifecycleObserver.notices,
        _ receive: @escaping @Sendable (Notice) -> Void
    ) {
        tokens = Tokens(
            center: center,
            tokens: notices.map { name, notice in
                center.addObserver(forName: name, object: nil, queue: nil) { _ in receive(notice) }
            })
    }

    deinit {
        for token in tokens.tokens { tokens.center.removeObserver(token) }
    }

    /// What the platform calls them.
    static var notices: [Notification.Name: Notice] {
        #if os(macOS)
            // An app on macOS keeps its connections; only its coming back is of interest.
            return [NSApplication.didBecomeActiveNotification: .foreground]
        #elseif os(watchOS)
            return [
                WKExtension.applicationDidEnterBackgroundNotification: .background,
                WKExtension.applicationWillEnterForegroundNotification: .foreground,
            ]
        #elseif os(iOS) || os(tvOS) || os(visionOS)
            return [
                UIApplication.didEnterBackgroundNotification: .background,
                UIApplication.willEnterForegroundNotification: .foreground,
            ]
        #else
            return [:]
        #endif
    }

    /// The registrations.
    ///
    /// Unchecked: the center is safe from any thread, and the tokens are only handed back to it.
    fileprivate struct Tokens: @unchecked Sendable {
        let center: NotificationCenter
        let tokens: [any NSObjectProtocol]
    }
}
