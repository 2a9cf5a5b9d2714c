/** Options that make a patch a JSON merge patch; client-node takes it for a JSON patch otherwise. */
export async function mergePatch() {
  const { PatchStrategy, setHeaderOptions } = await import("@kubernetes/client-node");
  return setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
}
