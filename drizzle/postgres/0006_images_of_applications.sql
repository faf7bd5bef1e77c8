ALTER TABLE "firmware_images" ADD COLUMN "grant_id" text COLLATE "C";
