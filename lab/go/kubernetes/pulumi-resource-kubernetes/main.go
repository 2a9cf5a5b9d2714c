// Command pulumi-resource-kubernetes serves the Pulumi Kubernetes provider out of its published Go module.
//
// The module's own main embeds generated files that the module does not carry; the builder copies
// the module's schema.json beside this file before it compiles.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

// version is what the engine is told; it matches the npm package @pulumi/kubernetes.
var version = "4.34.2"

//go:embed schema.json
var schema []byte

func main() {
	provider.Serve("kubernetes", version, schema, []byte("{}"))
}
