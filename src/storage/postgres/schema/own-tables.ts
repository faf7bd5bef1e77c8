import { limitPlaces, rateBuckets } from './limits.ts'
import { nodeRequests } from './node-requests.ts'
import { chargePointOwners, nodes, registrationChanges } from './nodes.ts'

export const OWN_TABLES = { nodes, chargePointOwners, registrationChanges, nodeRequests, rateBuckets, limitPlaces }

/** What a crash of the database may lose: requests that are under way, and counts. */
export const UNLOGGED: readonly (keyof typeof OWN_TABLES)[] = ['nodeRequests', 'rateBuckets', 'limitPlaces']
