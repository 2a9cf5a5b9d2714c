/** Type token and name in a URN, `urn:pulumi:<stack>::<project>::<parent types$type>::<name>`. */
export function parseUrn(urn: string): { type: string; name: string } {
  const [, , types = "", ...name] = urn.split("::");
  return { type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
