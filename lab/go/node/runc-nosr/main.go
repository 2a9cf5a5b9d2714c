// Command runc-nosr is runc for machines without CAP_SYS_RESOURCE.
//
// Privileged containers ask for every capability and Kubernetes asks for negative OOM scores; a
// machine that holds no CAP_SYS_RESOURCE can grant neither, and runc then refuses the container.
// The wrapper takes that capability and negative scores out of the OCI bundle (create, run) or of
// the process file (exec) and hands over to the real runc.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

const dropped = "CAP_SYS_RESOURCE"

func main() {
	args := os.Args[1:]
	if err := rewriteFor(args); err != nil {
		fmt.Fprintln(os.Stderr, "runc-nosr:", err)
		os.Exit(1)
	}
	real := realRunc()
	err := syscall.Exec(real, append([]string{real}, args...), os.Environ())
	fmt.Fprintln(os.Stderr, "runc-nosr:", real, err)
	os.Exit(1)
}

// rewriteFor changes the file that the given runc command line is about to read, if any.
func rewriteFor(args []string) error {
	command := slices.IndexFunc(args, func(arg string) bool {
		return arg == "create" || arg == "run" || arg == "exec"
	})
	if command < 0 {
		return nil
	}
	if args[command] == "exec" {
		file := option(args, "--process", "-p")
		if file == "" {
			return nil
		}
		return rewrite(file, func(process map[string]any) map[string]any { return process })
	}
	bundle := option(args, "--bundle", "-b")
	return rewrite(filepath.Join(bundle, "config.json"), func(spec map[string]any) map[string]any {
		process, _ := spec["process"].(map[string]any)
		return process
	})
}

// option returns the value of a flag given as "--name value", "--name=value" or "-n value".
func option(args []string, long, short string) string {
	for i, arg := range args {
		if value, found := strings.CutPrefix(arg, long+"="); found {
			return value
		}
		if (arg == long || arg == short) && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

func rewrite(file string, processOf func(map[string]any) map[string]any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	strip(processOf(document))
	if text, err = json.Marshal(document); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

func strip(process map[string]any) {
	if sets, ok := process["capabilities"].(map[string]any); ok {
		for name, value := range sets {
			list, _ := value.([]any)
			sets[name] = slices.DeleteFunc(list, func(entry any) bool { return entry == dropped })
		}
	}
	if score, ok := process["oomScoreAdj"].(float64); ok && score < 0 {
		process["oomScoreAdj"] = 0
	}
}

func realRunc() string {
	for _, candidate := range []string{"/usr/sbin/runc", "/usr/bin/runc"} {
		if _, err := os.Stat(candidate); err == nil {
			return candidate
		}
	}
	return "/usr/sbin/runc"
}
