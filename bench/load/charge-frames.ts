import type { Protocol } from '../../src/domain/ports/core.ts'
/**
 * The session mix as ready-made frames: fourteen CALLs per charge, the same for every server under test. Frames are
 * strings with three holes (message id, time, transaction), so that the generator spends its time on the socket.
 */

/** What a frame's holes are filled with. */
export interface FrameFacts {
  readonly messageId: string
  /** RFC 3339. */
  readonly time: string
  /** 1.6: the number the server gave; 2.0.1: our own text. */
  readonly transactionId: string
  /** Lifetime register in Wh. */
  readonly registerWh: number
}

export type FrameTemplate = (facts: FrameFacts) => string

export const CALLS_PER_CHARGE = 14
const SAMPLES_PER_CHARGE = 7
const SAMPLE_WH = 150
/** What a charge adds to the register. */
export const CHARGE_WH = SAMPLE_WH * (SAMPLES_PER_CHARGE + 1)

const FRAMES_OF_2: readonly FrameTemplate[] = [
  ({ messageId }) => `[2,"${messageId}","Authorize",{"idToken":{"idToken":"BENCH-CARD","type":"ISO14443"}}]`,
  status201('Occupied'),
  event201('Started', 0, 'Authorized', '"chargingState":"EVConnected"', {
    token: true,
    addedWh: 0,
    context: 'Transaction.Begin',
  }),
  event201('Updated', 1, 'ChargingStateChanged', '"chargingState":"Charging"'),
  ...samples((addedWh, sample) =>
    event201('Updated', sample + 1, 'MeterValuePeriodic', '"chargingState":"Charging"', { addedWh }),
  ),
  event201('Ended', SAMPLES_PER_CHARGE + 2, 'StopAuthorized', '"stoppedReason":"Local"', {
    token: true,
    addedWh: CHARGE_WH,
    context: 'Transaction.End',
  }),
  status201('Available'),
  ({ messageId }) => `[2,"${messageId}","Heartbeat",{}]`,
]

export const chargeFrames: Readonly<Record<Protocol, readonly FrameTemplate[]>> = {
  'ocpp1.6': [
    ({ messageId }) => `[2,"${messageId}","Authorize",{"idTag":"BENCH-CARD"}]`,
    status16('Preparing'),
    ({ messageId, time, registerWh }) =>
      `[2,"${messageId}","StartTransaction",{"connectorId":1,"idTag":"BENCH-CARD","meterStart":${registerWh},"timestamp":"${time}"}]`,
    status16('Charging'),
    ...samples(sample16),
    ({ messageId, time, transactionId, registerWh }) =>
      `[2,"${messageId}","StopTransaction",{"transactionId":${transactionId},"idTag":"BENCH-CARD","meterStop":${registerWh + CHARGE_WH},"timestamp":"${time}","reason":"Local"}]`,
    status16('Finishing'),
    status16('Available'),
  ],
  'ocpp2.0.1': FRAMES_OF_2,
  'ocpp2.1': FRAMES_OF_2,
}

export function bootFrame(protocol: Protocol, messageId: string): string {
  const plate =
    protocol === 'ocpp1.6'
      ? '{"chargePointVendor":"Bench","chargePointModel":"Load"}'
      : '{"reason":"PowerUp","chargingStation":{"vendorName":"Bench","model":"Load"}}'
  return `[2,"${messageId}","BootNotification",${plate}]`
}

/** The transaction number in an answer to StartTransaction; undefined in every other answer. */
export function readTransactionId(answer: string): string | undefined {
  return /"transactionId":\s*(-?\d+)/.exec(answer)?.[1]
}

function samples(template: (addedWh: number, sample: number) => FrameTemplate): readonly FrameTemplate[] {
  return Array.from({ length: SAMPLES_PER_CHARGE }, (_value, position) =>
    template((position + 1) * SAMPLE_WH, position + 1),
  )
}

function status16(status: string): FrameTemplate {
  return ({ messageId, time }) =>
    `[2,"${messageId}","StatusNotification",{"connectorId":1,"errorCode":"NoError","status":"${status}","timestamp":"${time}"}]`
}

function sample16(addedWh: number): FrameTemplate {
  return ({ messageId, time, transactionId, registerWh }) =>
    `[2,"${messageId}","MeterValues",{"connectorId":1,"transactionId":${transactionId},"meterValue":[{"timestamp":"${time}","sampledValue":[{"value":"${registerWh + addedWh}","context":"Sample.Periodic","measurand":"Energy.Active.Import.Register","unit":"Wh"},{"value":"10950.0","context":"Sample.Periodic","measurand":"Power.Active.Import","unit":"W"},{"value":"54","context":"Sample.Periodic","measurand":"SoC","unit":"Percent","location":"EV"}]}]}]`
}

function status201(status: string): FrameTemplate {
  return ({ messageId, time }) =>
    `[2,"${messageId}","StatusNotification",{"timestamp":"${time}","connectorStatus":"${status}","evseId":1,"connectorId":1}]`
}

interface EventExtras {
  readonly token?: boolean
  readonly addedWh?: number
  readonly context?: string
}

function event201(
  eventType: string,
  sequenceNumber: number,
  trigger: string,
  transactionFacts: string,
  { token = false, addedWh, context = 'Sample.Periodic' }: EventExtras = {},
): FrameTemplate {
  const idToken = token ? ',"idToken":{"idToken":"BENCH-CARD","type":"ISO14443"}' : ''
  return ({ messageId, time, transactionId, registerWh }) => {
    const meterValue =
      addedWh === undefined
        ? ''
        : `,"meterValue":[{"timestamp":"${time}","sampledValue":[{"value":${registerWh + addedWh},"context":"${context}","measurand":"Energy.Active.Import.Register","unitOfMeasure":{"unit":"Wh"}},{"value":10950,"context":"${context}","measurand":"Power.Active.Import","unitOfMeasure":{"unit":"W"}}]}]`
    return `[2,"${messageId}","TransactionEvent",{"eventType":"${eventType}","timestamp":"${time}","triggerReason":"${trigger}","seqNo":${sequenceNumber},"transactionInfo":{"transactionId":"${transactionId}",${transactionFacts}},"evse":{"id":1,"connectorId":1}${idToken}${meterValue}}]`
  }
}
