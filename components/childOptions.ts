import * as pulumi from "@pulumi/pulumi";

/**
 * Options of a component's child. The provider comes with the parent. deletedWith and the component's dependsOn do
 * not reach a child in the SDK, so they are repeated here: they hold for deletion and for `--target` too.
 * @param parent the component
 * @param opts options the component was given
 * @param own options of this child alone
 */
export function childOptions(
  parent: pulumi.ComponentResource,
  opts: pulumi.ComponentResourceOptions,
  own: pulumi.CustomResourceOptions = {},
): pulumi.CustomResourceOptions {
  const { deletedWith, dependsOn = [] } = opts;
  return pulumi.mergeOptions({ parent, dependsOn, ...(deletedWith && { deletedWith }) }, own);
}
