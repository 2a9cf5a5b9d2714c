/** The parts of a container image reference. */
export interface ImageReference {
  /** Registry host (with port, if any) and path, without tag and digest. */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest?: string;
}

const host = String.raw`(?:[a-zA-Z0-9](?:[-.a-zA-Z0-9]*[a-zA-Z0-9])?(?::\d{1,5})?/)?`;
const path = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*`;
const pattern = new RegExp(
  `^(?<repository>${host}${path})(?::(?<tag>[\\w][-.\\w]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$`,
);

/**
 * Splits an image reference (distribution/reference grammar: host with optional port, path, tag, digest).
 * @returns undefined when the text is no reference
 */
export function parseImageReference(text: string): ImageReference | undefined {
  const groups = pattern.exec(text)?.groups;
  if (!groups?.repository) return undefined;
  return {
    repository: groups.repository,
    ...(groups.tag && { tag: groups.tag }),
    ...(groups.digest && { digest: groups.digest }),
  };
}

/** Last part of the path, without tag: `slurmctld` of `lab/slurmctld:26.05.5`. */
export function imageBaseName(reference: ImageReference): string {
  return reference.repository.slice(reference.repository.lastIndexOf("/") + 1);
}

/**
 * The same image in another registry: the host of the reference is replaced, its path is kept.
 * `ghcr.io/slinkyproject/slurmd:26.05` in `registry.example.com:5000/mirror` is
 * `registry.example.com:5000/mirror/slinkyproject/slurmd:26.05`.
 */
export function inRegistry(registry: string, text: string): string {
  return `${registry.replace(/\/+$/, "")}/${text.slice(text.indexOf("/") + 1)}`;
}
