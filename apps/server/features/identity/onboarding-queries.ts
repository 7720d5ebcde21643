import type { Db } from '../../db/client.ts'

export const completeOnboarding = async (db: Db, userId: number): Promise<void> => {
  await db.updateTable('users').set({ onboarding_completed: true }).where('id', '=', userId).execute()
}
