/** What a command may do to a charge point, as scopes and commands both name it. */

/** Capabilities that a scope may cover. */
export type SharedCapability =
  /** Start, stop, unlock, take out of service and back. */
  'control' | 'reservations' | 'limits' | 'messages' | 'configuration' | 'firmware' | 'certificates'

/** Everything that a command may do. */
export type Capability =
  | SharedCapability
  /** Of the account alone, whatever scopes there are: vendor extensions, people's data, things of our own. */
  | 'account'
  /** How a charge point reaches us and proves who it is: who may set that, may take its place. */
  | 'connection'
