/**
 * The two ports of storage. Every message, search and delivery goes through the hot one: some twenty operations, which
 * an engine writes in its own words. Everything else is the cold one: look-ups, lists and administration, plain
 * statements in one transaction each, where an engine need not be clever. `storage/operations.ts` declares what each
 * operation needs.
 */
import type { LogReads, Reads, Writes } from './storage.ts'

/** The log's queries, which run in turns. */
export type HotReads = LogReads

/** The queue of deliveries, and what makes room in the log while messages come. */
export type HotWrites = Pick<Writes, 'claimDeliveries' | 'finishAttempts' | 'deleteOldCommands'>

/** All other look-ups and lists. */
export type ColdReads = Omit<Reads, keyof HotReads>

/** All other changes. */
export type ColdWrites = Omit<Writes, keyof HotWrites>
