/**
 * Whether a text is an RFC 1123 label as Kubernetes takes it for names: lower-case letters, digits and inner dashes.
 * @param longest most characters allowed, 63 by the RFC; names that become part of longer ones allow fewer
 */
export function isDnsLabel(text: unknown, longest = 63): text is string {
  return (
    typeof text === "string" &&
    text.length <= longest &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)
  );
}
