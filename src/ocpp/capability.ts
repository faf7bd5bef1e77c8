/**
 * What it takes to send a command (OIDC-C11). Every command of every version declares one; a scope of an access token
 * covers some, and an API credential has them all.
 */
import type {} from '../ports/capability.ts'
