import { readFile } from "node:fs/promises";
import type http from "node:http";
import https from "node:https";
import path from "node:path";
import { startHealthServer } from "../healthServer.ts";
import { review, type AdmissionRequest } from "./rules.ts";

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const CERT_POLL_MS = 10_000;

/** Settings of the webhook, from its flags. */
export interface WebhookOptions {
  /** Folder with tls.crt and tls.key, mounted from cert-manager's Secret. */
  certDir: string;
  port: number;
  healthPort: number;
  log: (text: string) => void;
}

/** Serves the admission webhook until the signal aborts; a renewed certificate is taken without a restart. */
export async function runWebhook(options: WebhookOptions, signal: AbortSignal): Promise<void> {
  let certificate = await readCertificate(options.certDir);
  const server = https.createServer(certificate, handleReview);
  const health = await startHealthServer(options.healthPort, () => server.listening);
  const poll = setInterval(() => {
    void readCertificate(options.certDir).then(
      (next) => {
        if (next.cert !== certificate.cert) {
          certificate = next;
          server.setSecureContext(next);
          options.log("serving the renewed certificate");
        }
      },
      (error: unknown) => {
        options.log(`certificate not read: ${(error as Error).message}; the old one stays`);
      },
    );
  }, CERT_POLL_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      signal.addEventListener("abort", () => {
        resolve();
      });
      server.listen(options.port, () => {
        options.log(`webhook listens on ${String(options.port)}`);
      });
    });
  } finally {
    clearInterval(poll);
    server.close();
    server.closeIdleConnections();
    health.close();
  }
}

/** Answers an AdmissionReview on any path: the object's kind decides, not the address. */
export function handleReview(request: http.IncomingMessage, response: http.ServerResponse): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      request.destroy(new Error("admission review too large"));
    }
    chunks.push(chunk);
  });
  request.on("error", () => response.destroy());
  request.on("end", () => {
    try {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { request: AdmissionRequest };
      const answer = {
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: review(body.request),
      };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    } catch {
      response.statusCode = 400;
      response.end("the body is no AdmissionReview");
    }
  });
}

async function readCertificate(certDir: string): Promise<{ cert: string; key: string }> {
  const [cert, key] = await Promise.all(
    ["tls.crt", "tls.key"].map((file) => readFile(path.join(certDir, file), "utf8")),
  );
  return { cert: cert ?? "", key: key ?? "" };
}
