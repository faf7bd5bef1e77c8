import type { Json } from './house.ts'
import type { StationOptions } from './station.ts'

/** The list of a charge point of either version; `answers` are given instead of obeying, one after the other. */
export class Listing {
  version = 0
  readonly cards = new Map<string, string>()
  readonly updates: string[] = []
  readonly answers: string[] = []
  values: Readonly<Record<string, string>> = {}

  readonly respond: NonNullable<StationOptions['respond']> = (method, request) => {
    switch (method) {
      case 'GetLocalListVersion':
        this.updates.push(`version? ${this.version}`)
        return { listVersion: this.version, versionNumber: this.version }
      case 'SendLocalList':
        return { status: this.answers.shift() ?? this.#take(request) }
      case 'GetConfiguration':
        return {
          configurationKey: Object.entries(this.values).map(([key, value]) => ({ key, readonly: true, value })),
        }
      case 'GetVariables': {
        const asked = request.getVariableData as readonly (Json & { variable: { name: string } })[]
        const getVariableResult = asked.map(({ component, variable }) => {
          const attributeValue = this.values[variable.name]
          const attributeStatus = attributeValue === undefined ? 'UnknownVariable' : 'Accepted'
          return { component, variable, attributeStatus, attributeValue }
        })
        return { getVariableResult }
      }
      default:
        return undefined
    }
  }

  #take({ updateType, listVersion, versionNumber, localAuthorizationList = [] }: Json): string {
    const version = Number(listVersion ?? versionNumber)
    if (updateType === 'Differential' && version <= this.version) return 'VersionMismatch'
    this.updates.push(`${updateType} ${(localAuthorizationList as Json[]).length}`)
    if (updateType === 'Full') this.cards.clear()
    for (const entry of localAuthorizationList as Json[]) {
      const { idTag, idTagInfo, idToken, idTokenInfo } = entry as Record<string, Json | undefined>
      const card = String(idTag ?? idToken?.idToken)
      const info = idTagInfo ?? idTokenInfo
      if (info) this.cards.set(card, String(info.status))
      else this.cards.delete(card)
    }
    this.version = version
    return 'Accepted'
  }
}
