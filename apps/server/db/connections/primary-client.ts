import pg from 'pg'
import { DatabaseError } from '../driver.ts'

/** A code of PostgreSQL's: the connection failed. */
export const connectionFailure = '08006'

/** Knows from the greeting, at no cost, whether it was led to a standby, and hears when that is promoted. */
export class PrimaryClient extends pg.Client {
  isStandby = false

  constructor(config: pg.ClientConfig = {}) {
    super(config)
    this.connection.on('parameterStatus', (said: { parameterName: string; parameterValue: string }) => {
      if (said.parameterName === 'in_hot_standby') this.isStandby = said.parameterValue === 'on'
    })
  }
}

/** Only the primary takes writes: whoever was led elsewhere comes again, and by then the way may be right. */
export const refuseStandby = (client: pg.Client): void => {
  if (!(client instanceof PrimaryClient) || !client.isStandby) return
  throw new DatabaseError('the way led to a standby', connectionFailure, undefined, undefined)
}

export const connectToPrimary = async (client: PrimaryClient): Promise<void> => {
  await client.connect()
  try {
    refuseStandby(client)
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}
