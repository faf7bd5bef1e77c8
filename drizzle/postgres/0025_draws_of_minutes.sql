ALTER TABLE "limit_minutes" ADD COLUMN "draws" text COLLATE "C";
