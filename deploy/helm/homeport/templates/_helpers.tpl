{{/* The prefix of all names: the release, with the chart when the release does not name it. */}}
{{- define "homeport.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that never change, for selectors. Argument: the root context and the component. */}}
{{- define "homeport.selector" -}}
app.kubernetes.io/name: homeport
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "homeport.labels" -}}
{{ include "homeport.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* Entries of a ConfigMap. YAML numbers arrive as floats, which would print as 1e+09. */}}
{{- define "homeport.entries" -}}
{{- range $name, $value := . }}
{{ $name }}: {{ if kindIs "float64" $value }}{{ int64 $value | toString | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
{{- end }}
{{- end -}}

{{/* The settings of a program as YAML. Its own override the shared ones; those of the chart override both. */}}
{{- define "homeport.settings.api" -}}
{{- $chart := dict "PORT" "3000" "HOST" "0.0.0.0" "MANAGEMENT_PORT" "9090" "MANAGEMENT_HOST" "0.0.0.0" "RUNTIME" .Values.runtime.type "USAGE_SPOOL_DIR" "/var/lib/homeport/usage" -}}
{{- include "homeport.entries" (merge $chart .Values.settings.api .Values.settings.shared) -}}
{{- end -}}
{{- define "homeport.settings.edge" -}}
{{- $chart := dict "EDGE_PORT" "8080" "HOST" "0.0.0.0" "MANAGEMENT_PORT" "9091" "MANAGEMENT_HOST" "0.0.0.0" -}}
{{- if .Values.edge.tls }}{{ $_ := set $chart "EDGE_TLS_PORT" "8443" }}{{ end -}}
{{- if ne .Values.runtime.type "off" }}{{ $_ := set $chart "RUNTIME_DIR" "/run/homeport" }}{{ end -}}
{{- include "homeport.entries" (merge $chart .Values.settings.edge .Values.settings.shared) -}}
{{- end -}}
{{- define "homeport.settings.runtime" -}}
{{- $chart := dict "RUNTIME" .Values.runtime.type "RUNTIME_DIR" "/run/homeport" "MANAGEMENT_PORT" "9092" "MANAGEMENT_HOST" "0.0.0.0" -}}
{{- if eq .Values.runtime.type "pooled" }}{{ $_ := set $chart "RUNTIME_SANDBOX" "bubblewrap" }}{{ end -}}
{{- $shared := omit .Values.settings.shared "PLATFORM_DOMAIN" "TRUSTED_PROXIES" "SHUTDOWN_NOTICE_MS" -}}
{{- include "homeport.entries" (merge $chart .Values.settings.runtime $shared) -}}
{{- end -}}

{{/* Variables from the Secret: each program gets only what it reads. Arguments: the root context and the names. */}}
{{- define "homeport.secrets" -}}
{{- $root := .root -}}
{{- $present := concat (list "DATABASE_URL" "SESSION_KEYS" "SECRETS_KEYS") $root.Values.secret.keys -}}
{{- range .names }}{{ if has . $present }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: { name: {{ $root.Values.secret.name | quote }}, key: {{ . }} }
{{- end }}{{ end }}
{{- end -}}

{{/* Milliseconds of SHUTDOWN_NOTICE_MS as seconds, rounded up, with 29 s for requests and 5 s to spare. */}}
{{- define "homeport.stopSeconds" -}}
{{- add (div (add (dig "SHUTDOWN_NOTICE_MS" 6000 .Values.settings.shared | int64) 999) 1000) 34 -}}
{{- end -}}

{{/* What every container of Homeport is denied; the runtime of sandboxes has exceptions. */}}
{{- define "homeport.restricted" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* Where the pods of a program run. Instances prefer different nodes and zones. */}}
{{- define "homeport.placement" -}}
topologySpreadConstraints:
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "homeport.selector" $ | nindent 8 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Restarts an instance that hangs, never one that waits for a dependency; sends requests to ready ones only. */}}
{{- define "homeport.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 2
  failureThreshold: {{ .startFailures }}
livenessProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /health/ready, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 1
{{- end -}}
