import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { FrameShape } from '../wire/frames.ts'
import { changing, changingValues, EVERY, isRegister, type Quirk, without, withSamples } from './quirk.ts'

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
  {
    name: 'kwh-labelled-wh',
    title: 'reports kilowatt-hours and calls them Wh in MeterValues',
    reference: 'https://github.com/OpenEVSE/openevse_esp32_firmware/issues/703',
    expected: 'trusts the registers of start and stop',
    versions: ['1.6'],
    shape: changingValues((sample, method) =>
      method === 'MeterValues' && isRegister(sample) ? scaled(sample, 0.001) : sample,
    ),
  },
  {
    name: 'numeric-values',
    title: 'sends sampled values as numbers instead of text',
    reference: 'https://github.com/OpenEVSE/openevse_esp32_firmware/issues/335',
    expected: 'reads them as the text that they should be',
    versions: ['1.6'],
    shape: changingValues((sample) => ({ ...sample, value: Number(sample.value) })),
  },
  {
    name: 'session-relative-register',
    title: 'counts the energy of the session in MeterValues, and the meter’s in start and stop',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/2093',
    expected: 'sees that the values begin again at zero, and shows the right energy',
    versions: ['1.6'],
    shape: sinceStart((request, startWh) =>
      withSamples(request, 'MeterValues', (sample) =>
        isRegister(sample) ? { ...sample, value: String(Number(sample.value) - startWh) } : sample,
      ),
    ),
  },
  {
    name: 'zero-between-samples',
    title: 'reports an energy register of 0 now and then',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/374',
    expected: 'drops the single zero',
    versions: ['1.6'],
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
  },
  {
    name: 'begin-sample-last',
    title: 'repeats the register of the beginning as the last value of each MeterValues',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/1838',
    expected: 'takes Transaction.Begin as a baseline only',
    versions: ['1.6'],
    shape: sinceStart((request, startWh) => {
      const measurand = 'Energy.Active.Import.Register'
      const begin = { value: String(startWh), context: 'Transaction.Begin', measurand, unit: 'Wh' }
      const meterValue = (request.meterValue as Payload[]).map((value) => ({
        ...value,
        sampledValue: [...(value.sampledValue as Payload[]), begin],
      }))
      return { ...request, meterValue }
    }),
  },
  {
    name: 'empty-sampled-values',
    title: 'sends meter values without any value in them',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/466',
    expected: 'answers; the final registers bring the energy',
    versions: ['1.6'],
    shape: changingValues((sample, method) => (method === 'MeterValues' ? undefined : sample)),
  },
  {
    name: 'values-without-measurand',
    title: 'leaves measurand and unit away where they are the default',
    reference: 'https://github.com/EVerest/libocpp/pull/122',
    expected: 'reads the value as the imported energy in Wh',
    versions: ['1.6'],
    shape: changingValues((sample) => (isRegister(sample) ? without(sample, 'measurand', 'unit') : sample)),
  },
  {
    name: 'unit-hertz',
    title: 'reports the frequency in Hertz, a unit that the schema does not have',
    reference: 'https://github.com/mobilityhouse/ocpp/pull/70',
    expected: 'answers, and keeps the value',
    versions: ['1.6'],
    shape: changingValues((sample) =>
      sample.measurand === 'SoC' ? { value: '50.01', measurand: 'Frequency', unit: 'Hertz' } : sample,
    ),
  },
  {
    name: 'values-as-object',
    title: 'sends meterValue as an object instead of a list',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/1144',
    expected: 'keeps the connection; the final registers bring the energy',
    versions: ['1.6'],
    shape: changing('MeterValues', (request) => ({ ...request, meterValue: (request.meterValue as Payload[])[0] })),
  },
  {
    name: 'odd-context',
    title: 'gives its values a context that the protocol does not have',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/361',
    expected: 'answers, and takes the value as any other',
    versions: EVERY,
    shape: changingValues((sample) =>
      sample.context === 'Sample.Periodic' ? { ...sample, context: 'Sample.Start' } : sample,
    ),
  },
]
