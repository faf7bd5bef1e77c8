import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'

/** As it was sent (SIGNED-F1). `station`, not `chargePointId`: it outlives its charge point and the log's row. */
export const signedValues = record('signed_values', {
  key: ['sessionId', 'station', 'at', 'digest'],
  columns: {
    /** Empty: no charge is known that it belongs to. */
    sessionId: text(),
    station: text(),
    at: integer(),
    digest: text(),
    transactionId: optional(text()),
    /** Number of the EVSE, in 1.6 of the connector; 0 is the station's own meter. */
    place: integer(),
    /** OCPP's reading context, such as `Transaction.Begin`. */
    context: text(),
    encodingMethod: optional(text()),
    signingMethod: optional(text()),
    /** As JSON, which holds also what is no proper text. */
    data: json<string>(),
    publicKey: optional(json<string>()),
    /** The message that brought it: a row of the log, which may be gone by now. */
    commandId: integer(),
    storedAt: integer(),
  },
  indexes: [['storedAt']],
  writtenOnce: true,
  age: 'storedAt',
})

export type SignedValue = RecordOf<typeof signedValues>

/** The key that a meter has now. */
export const meters = record('meters', {
  key: ['chargePointId', 'place'],
  columns: {
    chargePointId: text(),
    place: integer(),
    publicKey: json<string>(),
    /** Bytes of the key in hex: equal for all spellings of it. */
    keyBytes: text(),
    seenAt: integer(),
  },
  loadedWith: 'chargePoint',
})

/** Every key that a meter ever had, for values that bring none (SIGNED-K3). Like them it outlives its charge point. */
export const meterKeys = record('meter_keys', {
  key: ['accountId', 'station', 'place', 'at'],
  columns: {
    accountId: text(),
    station: text(),
    place: integer(),
    /** It was seen then; by the station's clock where a value brought it. */
    at: integer(),
    publicKey: json<string>(),
    commandId: optional(integer()),
  },
  writtenOnce: true,
})

export type MeterKey = RecordOf<typeof meterKeys>

/** The station reported the public keys of its meters; place 0 is its own. */
export type MeterInput = {
  readonly kind: 'meterKeysSeen'
  readonly keys: readonly { readonly place: number; readonly publicKey: PublicKeyText }[]
}

/** A meter's public key as it was written, and its bytes in hex: two spellings of one key have the same. */
export interface PublicKeyText {
  readonly text: string
  readonly bytes: string
}
