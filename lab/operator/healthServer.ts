import http from "node:http";

/** Serves /healthz and /readyz; readyz answers 503 until `isReady`. Port 0 picks a free one. */
export function startHealthServer(port: number, isReady: () => boolean): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    const known = request.url === "/healthz" || request.url === "/readyz";
    const unready = request.url === "/readyz" && !isReady();
    response.statusCode = known ? (unready ? 503 : 200) : 404;
    response.end(response.statusCode === 200 ? "ok" : "");
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => {
      resolve(server);
    });
  });
}
