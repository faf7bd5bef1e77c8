ALTER TABLE "id_tokens" ADD COLUMN "tariff_id" text COLLATE "C";
