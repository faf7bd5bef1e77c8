ALTER TABLE "id_tokens" ADD COLUMN "language" text COLLATE "C";
