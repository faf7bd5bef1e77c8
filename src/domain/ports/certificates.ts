/** The signer of charge points' requests (CERT-C7, CERT-C21, CERT-C22). */

/** A request of a charge point, to be signed. */
export interface SigningOrder {
  readonly id: string
  readonly chargePointId: string
  readonly serialNumber?: string | undefined
  /** PEM; checked already. */
  readonly csr: string
  readonly keyKind: 'EC' | 'RSA'
  readonly type?: 'ChargingStationCertificate' | 'V2GCertificate' | undefined
  readonly commonName: string
  readonly organization: string
}

/** A chain, or why there is none yet, or why there will be none. */
export type SigningOutcome =
  /** PEM; not believed before it was checked against the request. */
  | { readonly chain: string; readonly authority?: string | undefined }
  /** The answer will come through the API. */
  | { readonly later: true }
  | { readonly state: 'rejected' | 'failed'; readonly reason: string }

/** Plain values, so that they cross into the core's thread. */
export interface SignerSettings {
  readonly provider: 'internal' | 'http' | 'manual'
  readonly hookUrl?: string | undefined
  readonly hookSecret?: string | undefined
  /** Of this server: where revocation lists are read. */
  readonly baseUrl: string
}

/** An authority of our own, a service of the operator, or a person. */
export interface CertificateSigner {
  sign(order: SigningOrder): Promise<SigningOutcome>
  /** Authorities of our own are made now, where there are any. */
  prepare(): Promise<void>
}
