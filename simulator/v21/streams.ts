/** Values of a monitor that are sent regularly and never answered (2.1 N11 to N15). */
import { isoTime } from '../../src/domain/iso-time.ts'
import type { CommandTarget } from '../commands/target.ts'
import type { DeviceModel } from '../v201/device-model/device-model.ts'
import type { MonitoringSetting, StreamParams } from '../v201/monitors.ts'

export type Streams = ReturnType<typeof createStreams>

interface Stream {
  /** That of its monitor, too. */
  readonly id: number
  readonly setting: MonitoringSetting
  params: StreamParams
  values: readonly { readonly at: number; readonly v: string }[]
}

const DEFAULT_SECONDS = 60

export function createStreams(target: CommandTarget, model: DeviceModel) {
  const streams = new Map<number, Stream>()
  target.onReset(() => streams.clear())
  const shown = ({ id, params }: Stream) => ({ id, params, variableMonitoringId: id })

  const goOn = (stream: Stream): void => {
    const { interval = DEFAULT_SECONDS, values = 1 } = stream.params
    const count = Math.max(1, values)
    target.time.after((Math.max(1, interval) / count) * 1000, () => {
      if (streams.get(stream.id) !== stream) return
      goOn(stream)
      const at = target.clock.now()
      stream.values = [...stream.values, { at, v: model.get(stream.setting, 'Actual').value ?? '' }]
      if (stream.values.length < count) return
      const [first] = stream.values
      const baseAt = first?.at ?? at
      const data = stream.values.map(({ at: takenAt, v }) => ({ t: (takenAt - baseAt) / 1000, v }))
      stream.values = []
      const request = { id: stream.id, pending: 0, basetime: isoTime(baseAt), data }
      target.tell({ method: 'NotifyPeriodicEventStream', request })
    })
  }
  return {
    /** Asks the central system first. */
    open(id: number, setting: MonitoringSetting): void {
      const params = setting.periodicEventStream
      if (!params) return
      const stream: Stream = { id, setting, params, values: [] }
      streams.set(id, stream)
      target.afterAnswer(async () => {
        const request = { constantStreamData: shown(stream) }
        const { status } = await target.ask({ method: 'OpenPeriodicEventStream', request })
        if (status === 'Accepted') goOn(stream)
        else streams.delete(id)
      })
    },
    close(id: number): void {
      const call = { method: 'ClosePeriodicEventStream', request: { id } }
      if (streams.delete(id)) target.afterAnswer(() => target.notify(call))
    },
    adjust(id: number, params: StreamParams): boolean {
      const stream = streams.get(id)
      if (stream) stream.params = { ...stream.params, ...params }
      return stream !== undefined
    },
    all: () => [...streams.values()].map(shown),
  }
}
