/* A complete HTTP answer on a socket without a request to answer: connection limit, deadlines,
 * bodies that are too long. */
#include "server/http/raw_answer.h"

#include <sys/socket.h>
#include <sys/types.h>

#include "api/documents/documents.h"
#include "core/base/text.h"

void raw_answer_send(int fd, Problem problem, const char *detail)
{
    Text body = TEXT_INIT, answer = TEXT_INIT;
    int status = problem_status(problem);
    problem_write(&body, status, problem_code(problem), problem_title(problem), detail, NULL, NULL);
    text_putc(&body, '\n'); /* for terminals */
    text_printf(&answer,
                "HTTP/1.1 %d %s\r\nContent-Type: application/problem+json\r\n"
                "Content-Length: %zu\r\n%sConnection: close\r\n\r\n",
                status, problem_title(problem), body.length,
                status == 503 ? "Retry-After: 1\r\n" : "");
    text_append(&answer, text_string(&body), body.length);
    if (text_ok(&answer)) {
        ssize_t sent = send(fd, answer.data, answer.length, MSG_DONTWAIT | MSG_NOSIGNAL);
        (void)sent; /* a client that does not even take this gets nothing */
    }
    text_done(&body);
    text_done(&answer);
}
