/** What stands around the sites of a document (AFIR-A5). */
import { dateTime, valued } from './words.ts'

export interface Publication {
  readonly lang: string
  /** ISO 3166-1 alpha-2, and what the publisher is called in its country. */
  readonly country: string
  readonly publisher: string
  /** Of the newest change in it: the same content has the same time. */
  readonly at: number
  readonly tableId: string
  /** Of the table: of what its locations' owners said. */
  readonly version: string
}

export type Exchange = 'snapshotPull' | 'deltaPull' | 'snapshotPush' | 'deltaPush'

const PROFILE = { modelBaseVersionG: '3', profileNameG: 'AFIR Energy Infrastructure', profileVersionG: '01-00-00' }

function header({ lang, country, publisher, at }: Publication, more?: object): object {
  return {
    lang,
    publicationTime: dateTime(at),
    publicationCreator: { country, nationalIdentifier: publisher },
    ...more,
    headerInformation: { confidentiality: valued('noRestriction'), informationStatus: valued('real') },
  }
}

/** @param sites the list, or the mark where it is written */
export function tableDocument(of: Publication, sites: readonly object[] | string): object {
  return {
    payload: {
      ...PROFILE,
      aegiEnergyInfrastructureTablePublication: {
        ...header(of),
        energyInfrastructureTable: [{ idG: of.tableId, versionG: of.version, energyInfrastructureSite: sites }],
      },
    },
  }
}

export function statusDocument(of: Publication, exchange: Exchange, sites: readonly object[] | string): object {
  return {
    messageContainer: {
      payload: [
        {
          ...PROFILE,
          aegiEnergyInfrastructureStatusPublication: {
            ...header(of, {
              tableReference: [{ targetClass: 'EnergyInfrastructureTable', idG: of.tableId, versionG: of.version }],
            }),
            energyInfrastructureSiteStatus: sites,
          },
        },
      ],
      exchangeInformation: {
        exchangeContext: {
          codedExchangeProtocol: valued(exchange),
          exchangeSpecificationVersion: '3.0',
          supplierOrCisRequester: {},
        },
        dynamicInformation: { exchangeStatus: valued('online'), messageGenerationTimestamp: dateTime(of.at) },
      },
    },
  }
}
