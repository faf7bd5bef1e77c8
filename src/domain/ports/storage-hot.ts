/** Hot: every message, search and delivery, in an engine's words. Cold: plain statements. See storage/operations.ts. */
import type { LogReads, Reads, Writes } from './storage.ts'

/** The log's queries, which run in turns. */
export type HotReads = LogReads

/** The queue of deliveries, and what makes room in the log while messages come. */
export type HotWrites = Pick<Writes, 'claimDeliveries' | 'finishAttempts' | 'deleteOldCommands'>

/** All other look-ups and lists. */
export type ColdReads = Omit<Reads, keyof HotReads>

/** All other changes. */
export type ColdWrites = Omit<Writes, keyof HotWrites>
