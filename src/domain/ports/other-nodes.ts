import type { Command } from './storage-records.ts'
/** The other nodes: which has a charge point, and how it is asked (STORE-M1). Only shared engines have it. */

/** A node between its start and its end; another process in the same slot has another incarnation. */
export interface NodeAddress {
  readonly slot: number
  readonly incarnation: number
}

/** What the node that owns a charge point says of its connection. */
export interface Presence {
  readonly chargePointId: string
  readonly isConnected: boolean
  /** Milliseconds since its last connection ended; absent: it has one, or has had none since that node began. */
  readonly offlineMs?: number | undefined
  readonly clockSkewMs: number
}

/** Whose a charge point is now. */
export interface Whereabouts extends Presence {
  /** `no node`: its owner is gone, and the next node that needs it takes it over. */
  readonly owner: 'this node' | 'another node' | 'no node'
  readonly address: NodeAddress
  /** As its owner stored them last. */
  readonly lastSeenAt?: number | undefined
  readonly protocol?: string | undefined
}

/** Of a charge point that another node has. */
export interface PresentElsewhere extends Presence {
  readonly accountId: string
}

/** `not taken`: no node will carry it out. `not known`: the other node began, and is gone or exceeds the limit. */
export type Sent =
  | { readonly outcome: 'answered'; readonly answer: string }
  | { readonly outcome: 'not taken' }
  | { readonly outcome: 'not known' }

/** All of it goes through the database: nodes never talk to each other directly. */
export interface OtherNodes {
  /** One question for all of them; charge points that never had an owner are absent. */
  whereabouts(chargePointIds: readonly string[]): Promise<ReadonlyMap<string, Whereabouts>>
  /** Those that other nodes have and that are connected, or were until a moment ago; of one account or of all. */
  presentElsewhere(offlineMs: number, accountId?: string): Promise<readonly PresentElsewhere[]>
  send(to: NodeAddress, request: string, limitMs: number): Promise<Sent>
  /** For every other live node, without waiting for an answer. In order with what is sent later. */
  tellAll(request: string): Promise<void>
  /** From here on what others ask is taken and answered. */
  serve(answer: (request: string) => Promise<string>): void
  /** Requests that no node has taken stay with the node that asked. */
  stopServing(): void
  /** Those of them that were deleted or disabled. */
  refused(chargePointIds: readonly string[]): Promise<readonly string[]>
  /** @returns those that are this node's */
  publish(presences: readonly Presence[]): Promise<ReadonlySet<string>>
  /** The newest command with this content that was ordered of the charge point since then. */
  storedCommand(
    chargePointId: string,
    command: { readonly method: string; readonly request: string; readonly since: number },
  ): Promise<Command | undefined>
}
