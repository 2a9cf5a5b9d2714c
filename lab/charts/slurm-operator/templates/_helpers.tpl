{{- /* Repository, tag and digest as one reference; a missing tag is the chart's version. */}}
{{- define "slurm-operator.image" -}}
{{- $tag := .image.tag | default .root.Chart.AppVersion -}}
{{- if .image.digest -}}
{{ .image.repository }}@{{ .image.digest }}
{{- else -}}
{{ .image.repository }}:{{ $tag }}
{{- end -}}
{{- end -}}

{{- define "slurm-operator.selector" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end -}}

{{- define "slurm-operator.labels" -}}
{{ include "slurm-operator.selector" . }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
app.kubernetes.io/part-of: slurm-operator
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- /* Pod fields that operator and webhook share: . has root and values (of the component). */}}
{{- define "slurm-operator.podFields" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "slurm-operator.containerFields" -}}
image: {{ include "slurm-operator.image" (dict "root" .root "image" .values.image) }}
imagePullPolicy: {{ .values.imagePullPolicy | default .root.Values.imagePullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
livenessProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 20
readinessProbe:
  httpGet: { path: /readyz, port: health }
  periodSeconds: 5
resources: {{ toYaml .values.resources | nindent 2 }}
{{- end -}}
