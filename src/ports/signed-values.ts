/** Signed meter values: what a meter vouches for by its signature, for the driver who wants to check the bill. */

/** Signed data as a message carries it: every text byte for byte as it was sent (ENERGY-N5). */
export interface SignedData {
  readonly data: string
  readonly encodingMethod?: string | undefined
  readonly signingMethod?: string | undefined
  /** Absent: the station sent none, or an empty one. Then it is the meter's (SIGNED-K1). */
  readonly publicKey?: string | undefined
}

/** Where a meter stands. Without both it is the station's own. */
export interface MeterPlace {
  /** 2.0.1 */
  readonly evseId?: number | undefined
  /** 1.6 */
  readonly connectorId?: number | undefined
}

/** One as it is kept. Never changed once it is written (SIGNED-F1). */
export interface SignedValue extends SignedData, MeterPlace {
  readonly chargePointId: string
  /** Absent: no charge is known that it belongs to. */
  readonly sessionId?: string | undefined
  readonly transactionId?: string | undefined
  /** Milliseconds since the epoch, by the station's clock as repaired. */
  readonly at: number
  /** OCPP's reading context, such as `Transaction.Begin`. */
  readonly context: string
  /** The message that brought it: a row of the log, which may be gone by now. */
  readonly commandId: number
}

/** A public key as it was seen. A place has one after the other: a meter may be exchanged (SIGNED-K3). */
export interface MeterKey extends MeterPlace {
  readonly chargePointId: string
  readonly publicKey: string
  /** When it was seen first. */
  readonly at: number
  readonly commandId: number
}
