import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { FrameShape } from '../wire/frames.ts'
import {
  changing,
  changingValues,
  EVERY,
  isRegister,
  ONLY_16,
  type Quirk,
  quirk,
  without,
  withSamples,
} from './quirk.ts'

function scaled(sample: Payload, factor: number): Payload {
  const value = Math.floor(Number(sample.value) * factor)
  return { ...sample, value: typeof sample.value === 'string' ? String(value) : value }
}

/** Changes MeterValues by the register that StartTransaction named. */
function sinceStart(change: (request: Payload, startWh: number) => Payload): () => FrameShape {
  return () => {
    let startWh = 0
    return {
      request: (method, request) => {
        if (method === 'StartTransaction') startWh = Number(request.meterStart)
        return [{ method, request: method === 'MeterValues' ? change(request, startWh) : request }]
      },
    }
  }
}

export const VALUE_QUIRKS: readonly Quirk[] = [
  quirk('kwh-labelled-wh', 'OpenEVSE/openevse_esp32_firmware/issues/703', ONLY_16, {
    title: 'reports kilowatt-hours and calls them Wh in MeterValues',
    expected: 'trusts the registers of start and stop',
    shape: changingValues((sample, method) =>
      method === 'MeterValues' && isRegister(sample) ? scaled(sample, 0.001) : sample,
    ),
  }),
  quirk('numeric-values', 'OpenEVSE/openevse_esp32_firmware/issues/335', ONLY_16, {
    title: 'sends sampled values as numbers instead of text',
    expected: 'reads them as the text that they should be',
    shape: changingValues((sample) => ({ ...sample, value: Number(sample.value) })),
  }),
  quirk('session-relative-register', 'lbbrhzn/ocpp/issues/2093', ONLY_16, {
    title: 'counts the energy of the session in MeterValues, and the meter’s in start and stop',
    expected: 'sees that the values begin again at zero, and shows the right energy',
    shape: sinceStart((request, startWh) =>
      withSamples(request, 'MeterValues', (sample) =>
        isRegister(sample) ? { ...sample, value: String(Number(sample.value) - startWh) } : sample,
      ),
    ),
  }),
  quirk('zero-between-samples', 'lbbrhzn/ocpp/issues/374', ONLY_16, {
    title: 'reports an energy register of 0 now and then',
    expected: 'drops the single zero',
    shape: () => {
      let count = 0
      return {
        request: (method, request) => {
          const isDropout = method === 'MeterValues' && ++count % 3 === 0
          const zero = (sample: Payload): Payload => (isRegister(sample) ? { ...sample, value: '0' } : sample)
          return [{ method, request: isDropout ? withSamples(request, method, zero) : request }]
        },
      }
    },
  }),
  quirk('begin-sample-last', 'lbbrhzn/ocpp/issues/1838', ONLY_16, {
    title: 'repeats the register of the beginning as the last value of each MeterValues',
    expected: 'takes Transaction.Begin as a baseline only',
    shape: sinceStart((request, startWh) => {
      const measurand = 'Energy.Active.Import.Register'
      const begin = { value: String(startWh), context: 'Transaction.Begin', measurand, unit: 'Wh' }
      const meterValue = (request.meterValue as Payload[]).map((value) => ({
        ...value,
        sampledValue: [...(value.sampledValue as Payload[]), begin],
      }))
      return { ...request, meterValue }
    }),
  }),
  quirk('empty-sampled-values', 'lbbrhzn/ocpp/issues/466', ONLY_16, {
    title: 'sends meter values without any value in them',
    expected: 'answers; the final registers bring the energy',
    shape: changingValues((sample, method) => (method === 'MeterValues' ? undefined : sample)),
  }),
  quirk('values-without-measurand', 'EVerest/libocpp/pull/122', ONLY_16, {
    title: 'leaves measurand and unit away where they are the default',
    expected: 'reads the value as the imported energy in Wh',
    shape: changingValues((sample) => (isRegister(sample) ? without(sample, 'measurand', 'unit') : sample)),
  }),
  quirk('unit-hertz', 'mobilityhouse/ocpp/pull/70', ONLY_16, {
    title: 'reports the frequency in Hertz, a unit that the schema does not have',
    expected: 'answers, and keeps the value',
    shape: changingValues((sample) =>
      sample.measurand === 'SoC' ? { value: '50.01', measurand: 'Frequency', unit: 'Hertz' } : sample,
    ),
  }),
  quirk('values-as-object', 'lbbrhzn/ocpp/issues/1144', ONLY_16, {
    title: 'sends meterValue as an object instead of a list',
    expected: 'keeps the connection; the final registers bring the energy',
    shape: changing('MeterValues', (request) => ({ ...request, meterValue: (request.meterValue as Payload[])[0] })),
  }),
  quirk('odd-context', 'lbbrhzn/ocpp/issues/361', EVERY, {
    title: 'gives its values a context that the protocol does not have',
    expected: 'answers, and takes the value as any other',
    shape: changingValues((sample) =>
      sample.context === 'Sample.Periodic' ? { ...sample, context: 'Sample.Start' } : sample,
    ),
  }),
]
