{{- define "slurm.fullname" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end -}}

{{- define "slurm.labels" -}}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: slurm
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "slurm.metadata" -}}
namespace: {{ .Release.Namespace }}
labels: {{ include "slurm.labels" . | nindent 2 }}
{{- end -}}

{{- define "slurm.slurmKeyName" -}}
{{ .Values.slurmKey.secretRef.name | default (printf "%s-auth-slurm" (include "slurm.fullname" .)) }}
{{- end -}}
{{- define "slurm.jwtKeyName" -}}
{{ .Values.jwtKey.secretRef.name | default (printf "%s-auth-jwths256" (include "slurm.fullname" .)) }}
{{- end -}}

{{- define "slurm.keyRefs" -}}
slurmKeyRef: { name: {{ include "slurm.slurmKeyName" . }}, key: {{ .Values.slurmKey.secretRef.key }} }
jwtKeyRef: { name: {{ include "slurm.jwtKeyName" . }}, key: {{ .Values.jwtKey.secretRef.key }} }
{{- end -}}

{{- /* A container: all fields of the value pass through, image becomes a reference. . has root and container. */}}
{{- define "slurm.container" -}}
{{- $image := .container.image -}}
{{- $reference := printf "%s:%s" $image.repository (toString ($image.tag | default .root.Chart.AppVersion)) -}}
{{- if $image.digest }}{{- $reference = printf "%s@%s" $image.repository $image.digest }}{{- end -}}
{{- $policy := .container.imagePullPolicy | default .root.Values.imagePullPolicy -}}
{{- toYaml (mergeOverwrite (deepCopy .container) (dict "image" $reference "imagePullPolicy" $policy)) -}}
{{- end -}}

{{- /* Pod template: . has root, metadata and podSpec; hostname is set for NodeSets. */}}
{{- define "slurm.template" -}}
metadata:
  labels: {{ mergeOverwrite (include "slurm.labels" .root | fromYaml) (.metadata.labels | default dict) | toYaml | nindent 4 }}
  {{- with .metadata.annotations }}
  annotations: {{ toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .hostname }}
  hostname: {{ . }}
  {{- end }}
  imagePullSecrets: {{ .root.Values.imagePullSecrets | default nil | toJson }}
  {{- if not (hasKey .podSpec "priorityClassName") }}
  priorityClassName: {{ .root.Values.priorityClassName | quote }}
  {{- end }}
  {{- omit .podSpec "imagePullSecrets" | toYaml | nindent 2 }}
{{- end -}}

{{- /* key=value words of a map, sorted by key; lists are joined by commas. . has map and separator. */}}
{{- define "slurm.pairs" -}}
{{- $pairs := list -}}
{{- range $key, $value := .map -}}
{{- if kindIs "slice" $value -}}
{{- $pairs = append $pairs (printf "%s=%s" $key (join "," $value)) -}}
{{- else if and (kindIs "float64" $value) (eq (floor $value) $value) -}}
{{- /* Numbers of a values file are floats: a large one would be printed as 1e+06. */ -}}
{{- $pairs = append $pairs (printf "%s=%d" $key (int64 $value)) -}}
{{- else if not (kindIs "invalid" $value) -}}
{{- $pairs = append $pairs (printf "%s=%s" $key (toString $value)) -}}
{{- end -}}
{{- end -}}
{{- join .separator $pairs -}}
{{- end -}}

{{- /* Free text of parameters, or without one their map. . has text, map and separator. */}}
{{- define "slurm.conf" -}}
{{- .text | default "" | trim | default (include "slurm.pairs" .) -}}
{{- end -}}

{{- define "slurm.sssdName" -}}
{{ .Values.sssd.secretRef.name | default (printf "%s-sssd-conf" (include "slurm.fullname" .)) }}
{{- end -}}
{{- define "slurm.sssdKey" -}}
{{ .Values.sssd.secretRef.key | default "sssd.conf" }}
{{- end -}}

{{- /* References to the ConfigMap of a map of files, or null. . has files and name. */}}
{{- define "slurm.fileRefs" -}}
{{- if .files }}[{ name: {{ .name }} }]{{ else }}null{{ end -}}
{{- end -}}
