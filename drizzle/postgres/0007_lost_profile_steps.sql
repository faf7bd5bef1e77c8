ALTER TABLE "security_profile_jobs" ADD COLUMN "losses" bigint;
