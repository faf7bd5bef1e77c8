/** A histogram counted in the core's thread; prom-client's own counts only observations made here. */
import type { Metric, Registry } from 'prom-client'
import type { Durations } from '../../domain/ports/core.ts'

interface Value {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

export function durationMetric(registry: Registry, name: string, help: string) {
  let shown: Durations | undefined
  const metric = {
    name,
    async get() {
      return { name, help, type: 'histogram', aggregator: 'sum', values: shown ? valuesOf(name, shown) : [] }
    },
  }
  // What a registry asks of a metric is its name and `get`.
  registry.registerMetric(metric as unknown as Metric)
  return {
    show(durations: Durations | undefined) {
      shown = durations
    },
  }
}

function valuesOf(name: string, { bounds, counts, sum }: Durations): readonly Value[] {
  let below = 0
  const buckets = counts.map((count, at): Value => {
    below += count
    return { metricName: `${name}_bucket`, labels: { le: bounds[at] ?? '+Inf' }, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, value: sum },
    { metricName: `${name}_count`, labels: {}, value: below },
  ]
}
