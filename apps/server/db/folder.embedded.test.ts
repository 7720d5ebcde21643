import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/databases/database.ts'
import { openDatabase } from './client.ts'

describe('the embedded folder', () => {
  test('is held by one process at a time, and says so', async () => {
    const { dataDir, remove } = await createTestDatabase('embedded')
    const first = await openDatabase({ dataDir })
    await expect(openDatabase({ dataDir })).rejects.toThrow(
      /DATA_DIR .* is in use by another Sallyport process/,
    )
    await first.close()
    const again = await openDatabase({ dataDir })
    await again.close()
    await remove()
  })

  test('a half-made database of a killed start is thrown away', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sallyport-half-'))
    mkdirSync(join(dataDir, 'database.new-1'))
    writeFileSync(join(dataDir, 'database.new-1', 'PG_VERSION'), '')
    const opened = await openDatabase({ dataDir })
    expect(readdirSync(dataDir).sort()).toEqual(['database', 'lock'])
    await opened.close()
    rmSync(dataDir, { recursive: true })
  })
})
