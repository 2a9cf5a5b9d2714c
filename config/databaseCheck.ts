import { connect } from "node:net";

/** Seconds a database may take to accept a connection. */
const connectSeconds = 5;

/**
 * Whether something accepts TCP connections at an address, seen from this machine.
 * @returns undefined when it does, otherwise why not
 */
export function whyUnreachable(
  host: string,
  port: number,
  seconds = connectSeconds,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (why: string | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(why);
    };
    const timer = setTimeout(() => end(`no answer within ${seconds} s`), seconds * 1000);
    socket.once("connect", () => end(undefined));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
