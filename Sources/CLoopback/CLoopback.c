#include "CLoopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int flag_loopback_listen(uint16_t *port) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(descriptor, (struct sockaddr *)&address, length) != 0 || listen(descriptor, 64) != 0 ||
        getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) {
        close(descriptor);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return descriptor;
}

int flag_loopback_accept(int listener) {
    int descriptor = accept(listener, NULL, NULL);
#ifdef SO_NOSIGPIPE
    int on = 1;
    if (descriptor >= 0) setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    return descriptor;
}

int64_t flag_loopback_read(int connection, void *bytes, int64_t count) {
    return recv(connection, bytes, (size_t)count, 0);
}

int64_t flag_loopback_write(int connection, const void *bytes, int64_t count) {
#ifdef MSG_NOSIGNAL
    return send(connection, bytes, (size_t)count, MSG_NOSIGNAL);
#else
    return send(connection, bytes, (size_t)count, 0);
#endif
}

void flag_loopback_hang_up(int descriptor) {
    shutdown(descriptor, SHUT_RDWR);
}

void flag_loopback_close(int descriptor) {
    close(descriptor);
}
