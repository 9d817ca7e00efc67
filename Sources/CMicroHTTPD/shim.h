#ifndef FLAGSTAFF_CMICROHTTPD_SHIM_H
#define FLAGSTAFF_CMICROHTTPD_SHIM_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif
#include <microhttpd.h>

// Enumerations that the library declares closed reach Swift without their cases: these name them.

static const enum MHD_Result flagstaff_mhd_yes = MHD_YES;
static const enum MHD_Result flagstaff_mhd_no = MHD_NO;

static const enum MHD_ValueKind flagstaff_mhd_header_kind = MHD_HEADER_KIND;
static const enum MHD_ResponseMemoryMode flagstaff_mhd_must_copy = MHD_RESPMEM_MUST_COPY;
static const enum MHD_ResponseMemoryMode flagstaff_mhd_persistent = MHD_RESPMEM_PERSISTENT;

static const enum MHD_ConnectionNotificationCode flagstaff_mhd_connection_started =
    MHD_CONNECTION_NOTIFY_STARTED;

static const enum MHD_RequestTerminationCode flagstaff_mhd_completed =
    MHD_REQUEST_TERMINATED_COMPLETED_OK;
static const enum MHD_RequestTerminationCode flagstaff_mhd_timed_out =
    MHD_REQUEST_TERMINATED_TIMEOUT_REACHED;
static const enum MHD_RequestTerminationCode flagstaff_mhd_shut_down =
    MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN;

static const enum MHD_OPTION flagstaff_mhd_option_end = MHD_OPTION_END;
static const enum MHD_OPTION flagstaff_mhd_option_logger = MHD_OPTION_EXTERNAL_LOGGER;
static const enum MHD_OPTION flagstaff_mhd_option_listen_socket = MHD_OPTION_LISTEN_SOCKET;
static const enum MHD_OPTION flagstaff_mhd_option_threads = MHD_OPTION_THREAD_POOL_SIZE;
static const enum MHD_OPTION flagstaff_mhd_option_stack = MHD_OPTION_THREAD_STACK_SIZE;
static const enum MHD_OPTION flagstaff_mhd_option_memory_limit = MHD_OPTION_CONNECTION_MEMORY_LIMIT;
static const enum MHD_OPTION flagstaff_mhd_option_memory_increment =
    MHD_OPTION_CONNECTION_MEMORY_INCREMENT;
static const enum MHD_OPTION flagstaff_mhd_option_connections = MHD_OPTION_CONNECTION_LIMIT;
static const enum MHD_OPTION flagstaff_mhd_option_connections_per_address =
    MHD_OPTION_PER_IP_CONNECTION_LIMIT;
static const enum MHD_OPTION flagstaff_mhd_option_timeout = MHD_OPTION_CONNECTION_TIMEOUT;
static const enum MHD_OPTION flagstaff_mhd_option_uri_callback = MHD_OPTION_URI_LOG_CALLBACK;
static const enum MHD_OPTION flagstaff_mhd_option_unescape = MHD_OPTION_UNESCAPE_CALLBACK;
static const enum MHD_OPTION flagstaff_mhd_option_completed = MHD_OPTION_NOTIFY_COMPLETED;
static const enum MHD_OPTION flagstaff_mhd_option_connection = MHD_OPTION_NOTIFY_CONNECTION;
static const enum MHD_OPTION flagstaff_mhd_option_certificate = MHD_OPTION_HTTPS_MEM_CERT;
static const enum MHD_OPTION flagstaff_mhd_option_key = MHD_OPTION_HTTPS_MEM_KEY;

static const enum MHD_FEATURE flagstaff_mhd_feature_tls = MHD_FEATURE_TLS;

static const uint64_t flagstaff_mhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t flagstaff_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t flagstaff_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

// An enumeration of the system on Linux, plain numbers elsewhere: numbers everywhere here.
static const int flagstaff_socket_stream = SOCK_STREAM;
static const int flagstaff_socket_datagram = SOCK_DGRAM;

/// Ignores SIGPIPE, unless the program handles it.
static inline void
flagstaff_ignore_broken_pipes(void)
{
    struct sigaction action;
    if (sigaction(SIGPIPE, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) &&
        action.sa_handler == SIG_DFL)
        (void) signal(SIGPIPE, SIG_IGN);
}

/// Raises the soft limit of open descriptors as far as allowed; returns the limit now in force.
static inline uint64_t
flagstaff_raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 256;
    struct rlimit wanted = limit;
    wanted.rlim_cur = limit.rlim_max;
#if defined(__APPLE__)
    // "No limit" is refused there; this is the most that is accepted.
    if (wanted.rlim_cur > 10240)
        wanted.rlim_cur = 10240;
#endif
    if (wanted.rlim_cur > limit.rlim_cur && setrlimit(RLIMIT_NOFILE, &wanted) == 0)
        limit = wanted;
    return limit.rlim_cur;
}

/// Sends what fits without waiting, and without raising SIGPIPE where that is possible.
static inline ssize_t
flagstaff_send_now(int descriptor, const void *bytes, size_t count)
{
#ifdef MSG_NOSIGNAL
    return send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
#else
    return send(descriptor, bytes, count, MSG_DONTWAIT);
#endif
}

/// Receives what is there without waiting.
static inline ssize_t
flagstaff_receive_now(int descriptor, void *bytes, size_t count)
{
    return recv(descriptor, bytes, count, MSG_DONTWAIT);
}

// Watching for peers that close their side; without effect where the system has no such call.

/// A descriptor to watch with, or -1.
static inline int
flagstaff_watch_open(void)
{
#ifdef __linux__
    return epoll_create1(EPOLL_CLOEXEC);
#else
    return -1;
#endif
}

/// Watches a socket; its peer's closing is told once, edge-triggered.
static inline void
flagstaff_watch_add(int watch, int descriptor, uint64_t identifier)
{
#ifdef __linux__
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data = {.u64 = identifier}};
    (void) epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event);
#else
    (void) watch; (void) descriptor; (void) identifier;
#endif
}

/// Stops watching a socket that is still open.
static inline void
flagstaff_watch_remove(int watch, int descriptor)
{
#ifdef __linux__
    (void) epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, NULL);
#else
    (void) watch; (void) descriptor;
#endif
}

/// The next identifiers whose peer has closed, at most 64; returns how many.
static inline int
flagstaff_watch_departed(int watch, uint64_t *identifiers)
{
#ifdef __linux__
    struct epoll_event events[64];
    int count = epoll_wait(watch, events, 64, 0);
    for (int i = 0; i < count; i++)
        identifiers[i] = events[i].data.u64;
    return count;
#else
    (void) watch; (void) identifiers;
    return 0;
#endif
}

// Swift cannot import variadic C functions: these wrap the few that HTTPServer calls.

/// Starts a daemon; every option is in the array, which ends with `MHD_OPTION_END`.
static inline struct MHD_Daemon *
flagstaff_mhd_start(unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
                    struct MHD_OptionItem *options)
{
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, context,
                            MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// Makes the response end with its connection, without chunks.
static inline void
flagstaff_mhd_end_with_connection(struct MHD_Response *response)
{
    (void) MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// The connection's socket, or -1.
static inline int
flagstaff_mhd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// What the connection notification stored for this connection, or NULL.
static inline void *
flagstaff_mhd_socket_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The peer's address, or NULL.
static inline const struct sockaddr *
flagstaff_mhd_client_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/// Bytes of the request's head, or 0.
static inline size_t
flagstaff_mhd_head_size(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

#endif
