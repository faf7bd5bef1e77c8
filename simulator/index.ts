/**
 * `import { ChargePoint, SimulatedClock } from 'pilotwire/simulator'`: a charging station for tests of OCPP servers.
 */
export { type CentralSystem, type CentralSystemOptions, startCentralSystem } from './central-system.ts'
export { type Charge, ChargePoint, type ConnectOptions, type PlugOptions } from './library/charge-point.ts'
export type { ChargingNeeds } from './model/connector.ts'
export { FAULT_CODES, type FaultCode, type Token, type TransactionLimit } from './model/facts.ts'
export { COMPACT_CAR, PLUG_IN_HYBRID, TOURING_CAR, type Vehicle } from './model/meter.ts'
export type { OutsideLimit } from './model/smart-charging/outside.ts'
export { createPartner, type Partner, type PartnerOptions } from './partner/partner.ts'
export { PARTNER_QUIRKS } from './partner/quirks.ts'
export { QUIRKS } from './quirks/catalogue.ts'
export { SimulatedClock, type SimulatedTimeOptions } from './time/simulated-time.ts'
export type { KeyDeclaration } from './v16/configuration.ts'
export type { VariableDeclaration } from './v201/device-model/variable.ts'
export { CallRefused, CallTimeout, ConnectionLost, type Frame } from './wire/frames.ts'
