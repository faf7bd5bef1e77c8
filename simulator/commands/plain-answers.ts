/**
 * Answers of a modest station to what it takes no part in: schema-valid, and "no" wherever the schema knows a no.
 * The commands that do something are in v16.ts and v201.ts beside this file.
 */
import type { Payload } from '../../src/ocpp/version.ts'

export const plainAnswers16: Readonly<Record<string, Payload>> = {
  DataTransfer: { status: 'UnknownVendorId' },
}

export const plainAnswers201: Readonly<Record<string, Payload>> = {
  CostUpdated: {},
  DataTransfer: { status: 'UnknownVendorId' },
  PublishFirmware: { status: 'Rejected' },
  UnpublishFirmware: { status: 'NoFirmware' },
}
